// Which pages the documentation has, and in which order. A page that is missing here fails the build, and so does a
// name without a page.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const repository = fileURLToPath(new URL("../../", import.meta.url))

interface Section {
  readonly title: string
  /** Of the files, below the root of the repository. */
  readonly folder: string
  /** Without `.md`; the rest of the folder is not in the documentation. */
  readonly names: ReadonlyArray<string> | "all"
  readonly isClosed?: boolean
}

const sections: ReadonlyArray<Section> = [
  { title: "Tutorial", folder: "docs", names: ["tutorial"] },
  {
    title: "Quick starts",
    folder: "docs/how-to",
    names: [
      "your-first-day",
      "tell-a-chat-channel",
      "suppress-customers",
      "send-an-audience-by-webhook",
      "send-events-from-segment",
      "embed-the-server",
      "connect-an-agent",
      "analyze-with-sql",
    ],
  },
  {
    title: "How to",
    folder: "docs/how-to",
    names: [
      "install-the-tag",
      "identify-visitors",
      "find-the-hottest-visitors",
      "see-what-they-read",
      "follow-target-accounts",
      "share-accounts-with-your-sales-team",
      "see-companies",
      "use-the-console",
      "manage-suppression-rules",
      "suppress-from-github-actions",
      "deliver-to-a-mailing-list",
      "send-to-emailoctopus",
      "send-to-listmonk",
      "send-to-mailchimp",
      "send-to-brevo",
      "send-to-klaviyo",
      "send-to-hubspot",
      "send-to-pipedrive",
      "send-to-attio",
      "certify-an-account",
      "send-to-zapier-make-or-n8n",
      "use-footfall-in-n8n",
      "send-to-a-crm-by-template",
      "upload-an-audience-to-an-ad-platform",
      "send-events-from-a-backend",
      "send-events-from-rudderstack",
      "receive-from-rb2b",
      "receive-from-forms-and-calendars",
      "receive-webhooks",
      "use-the-sdk",
      "script-the-command-line",
      "add-an-organization",
      "limit-a-key",
    ],
  },
  {
    title: "Explanation",
    folder: "docs/explanation",
    names: [
      "how-it-works",
      "topics-and-signals",
      "identity",
      "suppression",
      "deliveries",
      "signals",
      "old-events",
      "privacy",
      "comparison",
      "benchmarks",
      "reliability",
      "threat-model",
      "security-questions",
    ],
  },
  {
    title: "Reference",
    folder: "docs/reference",
    names: [
      "api",
      "cli",
      "pixel",
      "webhooks",
      "topics",
      "audiences",
      "destinations",
      "imports",
      "configuration",
      "glossary",
    ],
  },
  { title: "Operations", folder: "docs/operations", names: "all" },
  { title: "Specification", folder: "docs/specification", names: "all", isClosed: true },
  { title: "Decisions", folder: "docs/adr", names: "all", isClosed: true },
  { title: "Contributing", folder: "docs/contributing", names: "all", isClosed: true },
]

/** Pages from elsewhere in the repository: where they are, and where the documentation has them. */
const guests = [
  { title: "Reference", file: "packages/sdk/README.md", page: "reference/sdk.md" },
  { title: "Contributing", file: "CONTRIBUTING.md", page: "contributing/index.md" },
] as const

/** Where the documentation has a file of the repository: `docs/tutorial.md` is `tutorial.md`. */
export const pageOf = (file: string): string =>
  file === "CHANGELOG.md"
    ? "changelog.md"
    : (guests.find((guest) => guest.file === file)?.page ??
      file.replace(/^docs\//, "").replace(/README\.md$/, "index.md"))

const filesOf = ({ folder, names }: Section): ReadonlyArray<string> =>
  names === "all"
    ? globSync(`${folder}/*.md`, { cwd: repository }).toSorted()
    : names.map((name) => `${folder}/${name}.md`)

const titleOf = (file: string): string => {
  const title = /^# (.+)$/m.exec(readFileSync(join(repository, file), "utf8"))?.[1]
  if (title === undefined) throw new Error(`${file} has no title.`)
  return title.replaceAll("`", "")
}

const itemOf = (file: string) => ({
  text: titleOf(file),
  link: `/${pageOf(file).replace(/(index)?\.md$/, "")}`,
})

export const sidebar = sections.map((section) => ({
  text: section.title,
  collapsed: section.isClosed ?? false,
  items: [
    ...filesOf(section),
    ...guests.flatMap(({ file, title }) => (title === section.title ? [file] : [])),
  ].map(itemOf),
}))

export const files: ReadonlyArray<string> = [
  "docs/README.md",
  "CHANGELOG.md",
  ...sections.flatMap(filesOf),
  ...guests.map(({ file }) => file),
]

const forgotten = globSync("docs/**/*.md", { cwd: repository }).filter(
  (file) => !files.includes(file),
)
if (forgotten.length > 0)
  throw new Error(`Add to docs/.vitepress/pages.ts: ${forgotten.toSorted().join(", ")}`)
