// Topic lists on the command line.

import { uuid } from "../uuid.ts"

/** A parser of the ids of topic lists. Errors: InvalidArgumentError. */
export const topicListId = uuid("a topic list", "footfall topic-lists list")
