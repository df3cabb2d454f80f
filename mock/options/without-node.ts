/**
 * Replaces the modules that need Node.js in bundles for browsers: the field `browser` of package.json points
 * here. `needNode` throws its advice before any of them is loaded.
 */
export {};
