// Names of topics by their ids.
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"

/** The most the server gives at once. spec 5.7.1 */
const pageSize = 500

/** A topic beyond the first 500 of the catalog, or one that is gone, is named by its id. */
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
