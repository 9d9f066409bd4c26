// listmonk: a subscriber has a status of their own and one on each list; PATCH replaces the attributes that it names;
// adding to a list without a status keeps an existing subscription, with one it sets it.
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Subscriber {
  readonly id: number
  readonly email: string
  name: string
  status: string
  attribs: Record<string, unknown>
  /** Status by list. */
  readonly lists: Map<number, string>
}

interface NewSubscriber {
  readonly email: string
  readonly name?: string
  readonly attribs?: Record<string, unknown>
  readonly lists?: ReadonlyArray<number>
  readonly preconfirm_subscriptions?: boolean
}

interface ListChange {
  readonly ids: ReadonlyArray<number>
  readonly action: string
  readonly target_list_ids: ReadonlyArray<number>
  readonly status?: string
}

const error = (status: number, message: string): ServiceAnswer => ({ status, body: { message } })

export const startListmonk = async (): Promise<Double> => {
  let token = "token-1"
  const subscribers = new Map<number, Subscriber>()
  const lists = new Map([
    [3, { id: 3, name: "Buyers", optin: "single", type: "private", tags: [] }],
  ])
  let lastId = 0
  const idByEmail = new Map<string, number>()
  const byEmail = (email: string) => subscribers.get(idByEmail.get(email.toLowerCase()) ?? 0)
  const create = (email: string): Subscriber => {
    const id = ++lastId
    const one = { id, email: email.toLowerCase(), name: "", status: "enabled", attribs: {} }
    const made: Subscriber = { ...one, lists: new Map() }
    subscribers.set(id, made)
    idByEmail.set(made.email, id)
    return made
  }
  const shown = (one: Subscriber) => ({
    ...one,
    lists: [...one.lists].map(([id, subscription_status]) => ({
      ...lists.get(id),
      id,
      subscription_status,
    })),
  })
  const page = (results: ReadonlyArray<unknown>, query: URLSearchParams) => {
    const perPage = Number(query.get("per_page") ?? 20)
    const number = Number(query.get("page") ?? 1)
    const from = (number - 1) * perPage
    return ok({
      data: {
        results: results.slice(from, from + perPage),
        total: results.length,
        per_page: perPage,
        page: number,
      },
    })
  }

  const service = await startService({
    contract: "listmonk",
    apiPath: "/api",
    refused: ({ authorization }) =>
      authorization === `token footfall:${token}`
        ? undefined
        : error(403, "invalid API credentials"),
    routes: () => ({
      "GET /lists": ({ query }) => page([...lists.values()], query),
      "POST /lists": ({ body }: Of<{ readonly name: string }>) => {
        const id = Math.max(0, ...lists.keys()) + 1
        lists.set(id, { id, name: body.name, optin: "single", type: "private", tags: [] })
        return ok({ data: lists.get(id) })
      },
      "DELETE /lists/{list_id}": ({ params }) => {
        lists.delete(Number(params["list_id"]))
        return ok({ data: true })
      },
      "GET /subscribers": ({ query }) => {
        const search = new RegExp(query.get("search") ?? "", "i")
        const list = query.get("list_id")
        const exact = /^\^(.*)\$$/.exec(search.source)?.[1]?.replaceAll(/\\(.)/g, "$1")
        // Among many, an address is looked up.
        const isLookedUp = exact !== undefined && subscribers.size > 1_000
        const among = isLookedUp ? [byEmail(exact) ?? []].flat() : [...subscribers.values()]
        const found = among.filter(
          ({ email, lists: on, name }) =>
            (search.test(email) || search.test(name)) && (list === null || on.has(Number(list))),
        )
        // By id, the newest first if nothing else is asked for.
        return page((query.get("order") === "asc" ? found : found.toReversed()).map(shown), query)
      },
      "POST /subscribers": ({ body }: Of<NewSubscriber>) => {
        if (body.email.startsWith("refused")) return error(400, `Invalid email: ${body.email}`)
        if (byEmail(body.email) !== undefined) return error(409, "E-mail already exists.")
        const made = create(body.email)
        made.name = body.name ?? body.email.split("@")[0]!
        made.attribs = body.attribs ?? {}
        const status = body.preconfirm_subscriptions === true ? "confirmed" : "unconfirmed"
        // Unknown lists are ignored.
        for (const id of body.lists ?? []) if (lists.has(id)) made.lists.set(id, status)
        return ok({ data: shown(made) })
      },
      "PATCH /subscribers/{id}": ({ body, params }: Of<object>) => {
        const one = subscribers.get(Number(params["id"]))
        if (one === undefined) return error(400, "Subscriber not found")
        Object.assign(one, body)
        return ok({ data: shown(one) })
      },
      "DELETE /subscribers/{id}": ({ params }) => {
        subscribers.delete(Number(params["id"]))
        return ok({ data: true })
      },
      "PUT /subscribers/lists": ({ body }: Of<ListChange>) => {
        for (const id of body.ids) {
          const one = subscribers.get(id)
          for (const list of body.target_list_ids) {
            if (one === undefined || !lists.has(list)) continue
            if (body.action === "remove") one.lists.delete(list)
            else if (body.action === "unsubscribe") one.lists.set(list, "unsubscribed")
            else one.lists.set(list, body.status ?? one.lists.get(list) ?? "unconfirmed")
          }
        }
        return ok({ data: true })
      },
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey: token, username: "footfall" },
    listId: "3",
    fieldMapping: { name: "firstName", score: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({ name: firstName, score }),
    newStatus: "unconfirmed",
    refusing: ["unsubscribed", "unconfirmed", "blocklisted"],
    refused: ["unsubscribed", "blocklisted"],
    removable: "confirmed",
    canRemoveFromList: true,
    hasTags: false,
    canErase: true,
    put: (email: string, status: string | null) => {
      const one = create(email)
      if (status === "blocklisted") one.status = status
      if (status !== null) one.lists.set(3, status === "blocklisted" ? "unsubscribed" : status)
    },
    forget: (email: string) => void subscribers.delete(byEmail(email)?.id ?? 0),
    people: () =>
      [...subscribers.values()].map(({ attribs, email, lists, name, status }) => ({
        email,
        status: status === "blocklisted" ? status : (lists.get(3) ?? null),
        fields: { name, ...attribs },
        tags: [],
      })),
    refusedPrefix: "refused",
    revoke: () => void (token = "token-2"),
    deleteList: () => void lists.clear(),
  })
}
