/** The marks in sealed files (tests, references), lower case; one of them in an updater's sight is a leak. */
export const canaryPattern = /anneal-canary-[0-9a-f]{16,64}/g;
