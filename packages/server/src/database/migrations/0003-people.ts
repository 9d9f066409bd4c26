// Imported people with all of decisions.md 2.19, those shared by every organization, and identity links.

export const statements: ReadonlyArray<string> = []
