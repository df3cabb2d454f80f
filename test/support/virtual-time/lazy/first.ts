import { second } from './second.js';

export const tea = second;
