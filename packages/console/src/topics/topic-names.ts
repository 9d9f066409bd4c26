// Topic names by id.
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"

/** The server's maximum. spec 5.7.1 */
const pageSize = 500

/** Topics beyond the first 500 of the catalog, and deleted ones, show their id. */
export const useTopicNames = (): ((topicId: number) => string) => {
  const { data } = useQuery({
    queryKey: ["topics", "names"],
    queryFn: async ({ signal }) => {
      const topics = await footfall.topics.list({ pageSize }, { signal })
      return new Map(topics.data.map(({ topicId, topicName }) => [topicId, topicName]))
    },
    staleTime: 300_000,
  })
  return (topicId) => data?.get(topicId) ?? `Topic ${topicId}`
}
