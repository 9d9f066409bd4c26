/** Names that only differ in spaces and case are the same. */
export const comparable = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase()
