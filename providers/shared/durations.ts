export const seconds = 1_000
export const minutes: number = 60 * seconds
export const hours: number = 60 * minutes
