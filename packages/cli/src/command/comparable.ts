/** Spaces and case tell no two names apart. */
export const comparable = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase()
