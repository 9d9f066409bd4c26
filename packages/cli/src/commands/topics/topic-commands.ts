// `footfall topics`: what people read about. Anybody may ask; who is known may ask more often.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addTopicsAnalyses } from "./analyses.ts"
import { addTopicsAnalyze } from "./analyze.ts"
import { addTopicsCompare } from "./compare.ts"
import { addTopicsFacets } from "./facets.ts"
import { addTopicsList } from "./list.ts"
import { addTopicsMovers } from "./movers.ts"
import { addTopicsSearch } from "./search.ts"
import { addTopicsTrend } from "./trend.ts"

/** Adds the group to the program. */
export const addTopicCommands = (program: Command, terminal: Terminal): void => {
  const topics = program
    .command("topics")
    .description("what people read about: find topics, and see how many follow them")
    .helpCommand(false)
  addTopicsList(topics, terminal)
  addTopicsSearch(topics, terminal)
  addTopicsTrend(topics, terminal)
  addTopicsCompare(topics, terminal)
  addTopicsMovers(topics, terminal)
  addTopicsAnalyze(topics, terminal)
  addTopicsAnalyses(topics, terminal)
  addTopicsFacets(topics, terminal)
}
