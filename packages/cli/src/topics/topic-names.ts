// The names of topics that are known by id, for people.

import { FootfallError, type Footfall } from "@footfall/sdk"

/** Topics that can be asked for at once (spec 5.7). */
const TOPICS_MAX = 10

/**
 * The names that are known; without those that nobody knows, or that cannot be asked for now, because
 * a screen reads well enough with ids.
 */
export const topicNamesOf = async (
  client: Footfall,
  topicIds: ReadonlyArray<number>,
): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>()
  try {
    for (let at = 0; at < topicIds.length; at += TOPICS_MAX) {
      const found = await client.topics.compare(topicIds.slice(at, at + TOPICS_MAX), {
        retriesMax: 0,
      })
      for (const { topicId, topicName } of found) names.set(topicId, topicName)
    }
  } catch (error) {
    if (!(error instanceof FootfallError)) throw error
  }
  return names
}
