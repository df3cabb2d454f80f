// Nothing of the repository's own config: as in a project that has none.
export default {};
