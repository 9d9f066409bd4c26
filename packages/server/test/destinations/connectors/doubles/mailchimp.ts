// Mailchimp: `status` sets the status of anyone whom it may, `status_if_new` that of new members only; an archived member
// stays archived; addresses deleted for good and people who unsubscribed or bounced are refused with a problem of their own.
import { createHash } from "node:crypto"
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Member {
  readonly email: string
  status: string
  fields: Record<string, unknown>
  readonly tags: Set<string>
}

interface MemberBody {
  readonly email_address: string
  readonly merge_fields?: Readonly<Record<string, unknown>>
  readonly status?: string
  readonly status_if_new: string
}

interface TagsBody {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly status: string }>
}

const md5 = (email: string) => createHash("md5").update(email.toLowerCase()).digest("hex")
const problem = (status: number, title: string, detail = title): ServiceAnswer => ({
  status,
  body: { type: "about:blank", title, status, detail, instance: "" },
})

export const startMailchimp = async (): Promise<Double> => {
  let apiKey = "0123456789abcdef-us21"
  const listId = "57afe96172"
  const lists = new Set([listId])
  const members = new Map<string, Member>()
  const forgotten = new Set<string>()
  const fields = [
    { merge_id: 1, tag: "FNAME", name: "First name", type: "text", required: false },
    { merge_id: 2, tag: "SCORE", name: "Score", type: "number", required: false },
    { merge_id: 3, tag: "PHONE", name: "Phone", type: "phone", required: true },
  ]
  const gone = problem(404, "Resource Not Found")
  const list = (id: string) => ({
    id,
    name: "Buyers",
    double_optin: false,
    stats: { member_count: members.size, unsubscribe_count: 0, cleaned_count: 0 },
  })
  const shown = ({ email, fields: merge_fields, status, tags }: Member) => ({
    id: md5(email),
    email_address: email,
    status,
    merge_fields,
    tags: [...tags].map((name, id) => ({ id, name })),
    list_id: listId,
  })
  const byHash = (params: Readonly<Record<string, string>>) =>
    lists.has(params["list_id"]!) ? members.get(params["subscriber_hash"]!) : undefined
  const refusedStatuses = new Set(["unsubscribed", "cleaned"])

  const service = await startService({
    contract: "mailchimp",
    apiPath: "/3.0",
    refused: ({ authorization }) => {
      const [, key] = Buffer.from(authorization?.replace(/^Basic /, "") ?? "", "base64")
        .toString()
        .split(":")
      return key === apiKey ? undefined : problem(401, "API Key Invalid")
    },
    routes: () => ({
      "GET /ping": () => ok({ health_status: "Everything's Chimpy!" }),
      "GET /lists": () => ok({ lists: [...lists].map(list), total_items: lists.size }),
      "GET /lists/{list_id}": ({ params }) =>
        lists.has(params["list_id"]!) ? ok(list(params["list_id"]!)) : gone,
      "GET /lists/{list_id}/merge-fields": ({ params }) =>
        lists.has(params["list_id"]!)
          ? ok({ merge_fields: fields, total_items: fields.length, list_id: listId })
          : gone,
      // Archived members are left out unless they are asked for.
      "GET /lists/{list_id}/members": ({ params, query }) => {
        if (!lists.has(params["list_id"]!)) return gone
        const status = query.get("status")
        const offset = Number(query.get("offset") ?? 0)
        const found = [...members.values()].filter((one) =>
          status === null ? one.status !== "archived" : one.status === status,
        )
        const page = found.slice(offset, offset + Number(query.get("count") ?? 10))
        return ok({ members: page.map(shown), list_id: listId, total_items: found.length })
      },
      "GET /lists/{list_id}/members/{subscriber_hash}": ({ params }) => {
        const member = byHash(params)
        return member === undefined ? gone : ok(shown(member))
      },
      "PUT /lists/{list_id}/members/{subscriber_hash}": ({
        body,
        params,
        query,
      }: Of<MemberBody>) => {
        if (!lists.has(params["list_id"]!)) return gone
        const { email_address: email, merge_fields = {}, status, status_if_new } = body
        if (md5(email) !== params["subscriber_hash"]) return problem(400, "Invalid Resource")
        if (email.startsWith("refused")) {
          const detail = `${email} looks fake or invalid, please enter a real email address.`
          return problem(400, "Invalid Resource", detail)
        }
        if (forgotten.has(email)) {
          const detail = `${email} was permanently deleted and cannot be re-imported.`
          return problem(400, "Forgotten Email Not Subscribed", detail)
        }
        const known = members.get(params["subscriber_hash"]!)
        if (known !== undefined && status === "subscribed" && refusedStatuses.has(known.status)) {
          return problem(400, "Member In Compliance State")
        }
        if (query.get("skip_merge_validation") !== "true" && merge_fields["PHONE"] === undefined) {
          return problem(400, "Invalid Resource", "Your merge fields were invalid.")
        }
        if (typeof (merge_fields["SCORE"] ?? 0) !== "number")
          return problem(400, "Invalid Resource")
        const member = known ?? {
          email,
          status: status_if_new,
          fields: {},
          tags: new Set<string>(),
        }
        member.status = status ?? member.status
        Object.assign(member.fields, merge_fields)
        members.set(params["subscriber_hash"]!, member)
        return ok(shown(member))
      },
      "DELETE /lists/{list_id}/members/{subscriber_hash}": ({ params }) => {
        const member = byHash(params)
        if (member === undefined || member.status === "archived") return gone
        member.status = "archived"
        return { status: 204 }
      },
      "POST /lists/{list_id}/members/{subscriber_hash}/tags": ({ body, params }: Of<TagsBody>) => {
        const member = byHash(params)
        if (member === undefined) return gone
        for (const { name, status } of body.tags) {
          if (status === "active") member.tags.add(name)
          else member.tags.delete(name)
        }
        return { status: 204 }
      },
      "POST /lists/{list_id}/members/{subscriber_hash}/actions/delete-permanent": ({ params }) => {
        const member = byHash(params)
        if (member === undefined) return gone
        members.delete(params["subscriber_hash"]!)
        forgotten.add(member.email)
        return { status: 204 }
      },
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey },
    listId,
    fieldMapping: { FNAME: "firstName", SCORE: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({ FNAME: firstName, SCORE: score }),
    newStatus: "subscribed",
    refusing: ["unsubscribed", "cleaned", "pending", "archived"],
    refused: ["unsubscribed", "cleaned"],
    removable: "subscribed",
    canRemoveFromList: true,
    hasTags: true,
    canErase: true,
    put: (email: string, status: string | null) =>
      void members.set(md5(email), {
        email,
        status: status ?? "subscribed",
        fields: {},
        tags: new Set(),
      }),
    forget: (email: string) => void members.delete(md5(email)),
    people: () => [...members.values()].map((each) => ({ ...each, tags: [...each.tags] })),
    refusedPrefix: "refused",
    revoke: () => void (apiKey = "fedcba-us21"),
    deleteList: () => void lists.clear(),
  })
}
