// The people found by a run, highest score first.
import type { Run, RunResult, RunResultsMeta } from "@footfall/sdk"
import { Empty } from "../../ui/empty.tsx"
import { List, type Column } from "../../ui/list.tsx"
import { usePages } from "../../ui/pages.ts"
import { Problem } from "../../ui/problem.tsx"
import { Waiting } from "../../ui/read.tsx"
import { Rest } from "../../ui/rest.tsx"
import { plural } from "../../ui/time.tsx"
import { footfall } from "../../session/session.ts"

/** People per page. */
const pageSize = 100

const columns: ReadonlyArray<Column<RunResult>> = [
  {
    id: "who",
    title: "Who",
    width: "minmax(9rem, 2fr)",
    cell: ({ email, fullName, hashedEmail }) => (
      <>
        <p className="cut">{fullName ?? email ?? hashedEmail.slice(0, 12)}</p>
        {fullName !== null && <p className="cut soft small">{email}</p>}
      </>
    ),
  },
  {
    id: "company",
    title: "Company",
    width: "minmax(7rem, 1fr)",
    from: 480,
    cell: ({ company }) => <p className="cut">{company.name ?? company.domain}</p>,
  },
  {
    id: "job",
    title: "Job",
    width: "minmax(7rem, 1fr)",
    from: 640,
    cell: ({ jobTitle }) => <p className="cut">{jobTitle}</p>,
  },
  {
    id: "topics",
    title: "Topics",
    width: "minmax(8rem, 1.5fr)",
    from: 900,
    cell: ({ intent }) => (
      <p className="cut">{intent.matchedTopics.map(({ topicName }) => topicName).join(", ")}</p>
    ),
  },
  {
    id: "score",
    title: "Score",
    width: "4rem",
    isNumber: true,
    cell: ({ intent }) => intent.score,
  },
]

export const Results = ({ run: { audienceId, id } }: { readonly run: Run }) => {
  const people = usePages<RunResult, RunResultsMeta>({
    key: ["audiences", audienceId, "run", id, "results"],
    load: (cursor, signal) =>
      footfall.runs.results(audienceId, id, { limit: pageSize, cursor }, { signal }),
  })
  return (
    <section className="stack" aria-label="People">
      <h2>People</h2>
      {people.error !== null && people.rows.length === 0 ? (
        <Problem error={people.error} onRetry={people.retry} />
      ) : people.isPending ? (
        <Waiting />
      ) : people.rows.length === 0 ? (
        <Empty title="No one was found">
          Choose more topics, a lower score or fewer filters, and run the audience again.
        </Empty>
      ) : (
        <div className="tall">
          <List
            label="People of the run"
            columns={columns}
            rows={people.rows}
            keyOf={({ hashedEmail }) => hashedEmail}
            total={people.meta?.total}
            onEnd={people.onEnd}
            foot={plural(people.meta?.total ?? 0, "person", "people")}
          />
          <Rest pages={people} />
        </div>
      )}
    </section>
  )
}
