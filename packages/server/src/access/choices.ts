// The roles of members and the statuses of organizations, as words. Without Effect, because the operator's command lists
// them before it loads any (docs/adr/0005).

export const roles = ["viewer", "member", "admin", "owner"] as const // spec 7
export const organizationStatuses = ["active", "trial", "suspended", "expired"] as const // spec 4.6
