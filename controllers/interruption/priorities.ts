/** A notice does not wait behind a first list of thousands of Machines. */
export const ofNotice = 100

/** A detach waits for the deletes of all Machines, and for nothing else. */
export const ofDetach = 50
