export { arm } from './arm.ts';
export { close } from './close.ts';
export { evaluate } from './evaluate.ts';
export { experiment } from './experiment.ts';
export { rejudge } from './rejudge.ts';
