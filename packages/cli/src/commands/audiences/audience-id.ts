// Audiences on the command line: each is named by its id or its name.

import { idOfName, reference } from "../reference.ts"

/** More than an organization can save (spec 5.8). */
const AUDIENCES_MAX = 100

/** A parser of what names an audience. */
export const audienceId = reference(async (client, text) => {
  const audiences = []
  for await (const audience of client.audiences.list({ limit: AUDIENCES_MAX })) {
    audiences.push(audience)
  }
  return idOfName(audiences, text, { noun: "audience", listCommand: "footfall audiences list" })
})
