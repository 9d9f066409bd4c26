// What a member of an organization may do, in ascending order (spec 7). API keys have the rights of a member.
import { Schema } from "effect"
import { roles } from "./choices.ts"

export const Role = Schema.Literals(roles)
export type Role = typeof Role.Type

const rank: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/** The caller is no longer an admin: another admin just changed the role or removed the member. */
export class AdminRequired extends Schema.TaggedError<AdminRequired>()("AdminRequired", {}) {}

/** Whether a role includes the rights of another. */
export const isAtLeast = (role: Role, required: Role): boolean => rank[role] >= rank[required]
