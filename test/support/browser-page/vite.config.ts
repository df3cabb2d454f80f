import demo from '../../../fixtures/browser-demo/vite.config.js';

export default { ...demo, root: import.meta.dirname, build: { ...demo.build, target: 'es2022' } };
