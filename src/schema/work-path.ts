import { z } from 'zod';

/**
 * Path of a file below a working directory: relative, `/` between names, never out of it. What a task declares so is
 * written by `anneal tasks audit`, so it must not lead to any other place of the host.
 */
export const WorkPath = z.string().refine((path) => path.split('/').every(isName), {
  error: 'it is no path below the working directory',
});

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !part.includes('\0');
}
