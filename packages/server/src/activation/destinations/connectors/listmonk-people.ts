// The subscribers of listmonk, in the order of their ids, which is its order if none is asked for. Who is on the blocklist
// refused everything; who unsubscribed stays on their list, with that status.
import { Effect, Schema, Stream } from "effect"
import { ListGone } from "./connector-error.ts"
import { countedPlace, type PeopleReader, placedPages } from "./people-reading.ts"
import type { ProviderApi } from "./provider-api.ts"

const listsPerPage = 100

const List = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  optin: Schema.optionalKey(Schema.String),
})
const Subscriber = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  status: Schema.String,
  lists: Schema.Array(Schema.Struct({ id: Schema.Int, subscription_status: Schema.String })),
})
const pageOf = <S extends Schema.Top>(one: S) =>
  Schema.Struct({
    data: Schema.Struct({ results: Schema.Array(one), total: Schema.Int }),
  })
const Lists = pageOf(List)
const Subscribers = pageOf(Subscriber)

export const allLists = (api: ProviderApi) =>
  api.pages(
    Lists,
    { method: "GET", path: "/lists", query: { page: 1, per_page: listsPerPage } },
    ({ data }) => data.results,
    ({ data }, pages) =>
      pages * listsPerPage < data.total
        ? { method: "GET", path: "/lists", query: { page: pages + 1, per_page: listsPerPage } }
        : undefined,
  )

/** Read among all of them, because listmonk ignores the id of a list that it doesn't have. Fails with ListGone. */
export const oneList = (api: ProviderApi, listId: string) =>
  Effect.flatMap(allLists(api), (lists) => {
    const list = lists.find(({ id }) => String(id) === listId)
    return list === undefined ? new ListGone() : Effect.succeed(list)
  })

export const listmonkPeople: PeopleReader = {
  needsList: false,
  read: (api, { listId, people }) => {
    const isWanted = ({ lists, status }: typeof Subscriber.Type) =>
      people === "all" ||
      status === "blocklisted" ||
      lists.some(
        ({ id, subscription_status }) =>
          subscription_status === "unsubscribed" && (listId === null || String(id) === listId),
      )
    const pages = placedPages((place) => {
      const { page, size } = countedPlace(place.offset)
      const query = {
        page,
        per_page: size,
        order: "asc",
        ...(listId === null ? {} : { list_id: listId }),
      }
      return Effect.map(
        api.read(Subscribers, { method: "GET", path: "/subscribers", query }),
        ({ data }) =>
          data.results.map((one) => ({ key: one.id, email: isWanted(one) ? one.email : null })),
      )
    }, countedPlace)
    if (listId === null) return pages
    return Stream.concat(Stream.drain(Stream.fromEffect(oneList(api, listId))), pages)
  },
}
