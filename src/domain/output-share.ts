/** Part of an attempt's tokens that is output, where nothing was measured; nothing is taken to be cached. */
export const outputShare = 0.15;
