/**
 * The way to numbers that may be claimed where those of an experiment may not. The same contents are the same experiment,
 * which a closed one stays: only another seed, or what was mended, makes another one of it.
 */
export const runAnew = 'write another seed: into its file, then: anneal run FILE --new';
