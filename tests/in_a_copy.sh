# For scripts that build a copy of the repository with changes: `in_a_copy how-to 0.1.1000` makes the copy in the target folder, and goes there.
in_a_copy() {
    target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
    export CARGO_TARGET_DIR=$target
    # Always the same place, because cargo's artifacts go by it.
    tree=$target/$1
    rm -rf "$tree"
    mkdir -p "$tree"
    tar --exclude=./target --exclude=target --exclude=./.git -cf - . | tar -xf - -C "$tree"
    cd "$tree"
    # The copy may lie inside the repository; `git apply` is not to take it for a part of that.
    export GIT_CEILING_DIRECTORIES=$target

    # Another version, because cargo takes packages of one name and version in one target folder for the same: the library with the changes would
    # replace the library without them.
    sed -i '/^\[workspace.package\]/,/^$/s/^version = .*/version = "'"$2"'"/' Cargo.toml

    # What is built here goes when the script ends: tests that look for the library in the target folder must not find one with changes in it.
    stamp=$(mktemp)
    trap remove_copy EXIT
}

remove_copy() {
    find "$target/debug/deps" -type f -newer "$stamp" \( -name 'libmooncake-*' -o -perm -u+x ! -name '*.so' \) -delete
    rm -rf "$stamp" "$tree"
}
