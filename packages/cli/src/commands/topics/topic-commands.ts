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

/** Adds its commands to the group. */
export const addTopicCommands = (topics: Command, terminal: Terminal): void => {
  addTopicsList(topics, terminal)
  addTopicsSearch(topics, terminal)
  addTopicsTrend(topics, terminal)
  addTopicsCompare(topics, terminal)
  addTopicsMovers(topics, terminal)
  addTopicsAnalyze(topics, terminal)
  addTopicsAnalyses(topics, terminal)
  addTopicsFacets(topics, terminal)
}
