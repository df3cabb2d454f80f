/**
 * Stands in for the modules that need Node.js wherever a bundle for browsers is made: the field `browser` of
 * package.json leads here, and so no bundle holds anything of Node.js. `needNode` says what to do before any is loaded.
 */
export {};
