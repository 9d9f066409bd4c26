// Organizations, members and API keys share a limit per user (spec 10.2).
export const accessLimit = { name: "organizations", limit: 60 }
