/** Where a failure goes that the person can do nothing about, or has been told of in words: the browser's console. */
export const report = (error: unknown) => console.error(error)
