import { servedSuites } from './jest.config.js';

/** What takes minutes by its nature, such as recordings of the largest size: `npm run test:long`. */
export default servedSuites(['<rootDir>/test/**/*.long.test.ts']);
