// The error for a body with unknown topics (spec 9, `details.unknownTopicIds`), the same wherever topics are named.
import { refuse } from "./errors.ts"

/** `pathOf`: the JSON pointer of the topic at an index. */
export const unknownTopics = (
  unknown: ReadonlyArray<number>,
  given: ReadonlyArray<number>,
  pathOf: (place: number) => string = (place) => `/body/topicIds/${place}`,
) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `No topic found with id ${unknown[0]}.`,
    details: {
      issues: given.flatMap((topicId, place) =>
        unknown.includes(topicId)
          ? [
              {
                path: pathOf(place),
                code: "unknown_topic",
                message: `Expected the id of a topic, received ${topicId}.`,
              },
            ]
          : [],
      ),
      unknownTopicIds: [...unknown],
    },
  })
