// What an agent can read before it calls a tool: two pages of the documentation.
import glossary from "../../../docs/reference/glossary.md"
import rules from "../../../docs/specification/03-rules.md"

export interface AgentResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: "text/markdown"
  readonly text: string
}

/** Removes the anchors, which are for browsers. */
const plain = (page: string): string => page.replaceAll(/<a id="[^"]*"><\/a>/g, "")

export const agentResources: ReadonlyArray<AgentResource> = [
  {
    uri: "footfall://rules",
    name: "rules",
    title: "Rule language",
    description:
      "How to write a rule (`ruleAst`) for query_visitors, query_companies and preview_segment.",
    mimeType: "text/markdown",
    text: plain(rules),
  },
  {
    uri: "footfall://glossary",
    name: "glossary",
    title: "Glossary",
    description: "What Footfall's terms mean.",
    mimeType: "text/markdown",
    text: plain(glossary),
  },
]
