export { arm } from './arm.ts';
export { evaluate } from './evaluate.ts';
export { experiment } from './experiment.ts';
