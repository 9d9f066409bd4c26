// Statistics of a run's results: scores, and how much is known about the people.
import type { Run, RunResultPath, RunStatistics } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Bars } from "../../plots/bars.tsx"
import { footfall } from "../../session/session.ts"
import { Read } from "../../ui/read.tsx"
import { count, share } from "../../ui/time.tsx"

const shown: ReadonlyArray<readonly [path: RunResultPath, name: string]> = [
  ["email", "Email"],
  ["businessEmail", "Business email"],
  ["phone", "Phone"],
  ["linkedinUrl", "LinkedIn"],
  ["fullName", "Name"],
  ["jobTitle", "Job title"],
  ["seniority", "Seniority"],
  ["department", "Department"],
  ["company.name", "Company"],
  ["company.industry", "Industry"],
  ["geo.country", "Country"],
]

export const Statistics = ({ run: { audienceId, id } }: { readonly run: Run }) => {
  const query = useQuery({
    queryKey: ["audiences", audienceId, "run", id, "stats"],
    queryFn: ({ signal }) => footfall.runs.stats(audienceId, id, { signal }),
    // Results only change when a person is erased.
    staleTime: 300_000,
  })
  return (
    <section className="stack" aria-label="Statistics">
      <h2>Statistics</h2>
      <Read query={query}>{({ stats }) => <Figures stats={stats} />}</Read>
    </section>
  )
}

const Figures = ({ stats }: { readonly stats: RunStatistics }) => {
  const { averages, fillRates, scoreHistogram, total } = stats
  if (total === 0) return <p className="soft">The run found no one, so there is nothing to show.</p>
  return (
    <div className="cards">
      <div className="card stack">
        <h3>People by score</h3>
        <Bars
          label="People by score"
          unit="People"
          rows={scoreHistogram.map(({ bucket, count: people, percent }) => ({
            name: bucket,
            value: people,
            text: `${count(people)} (${share(percent)})`,
          }))}
        />
        <p className="soft small">
          On average: score {averages.score ?? "–"}, {averages.topicOverlap ?? "–"} of the topics
        </p>
      </div>
      <div className="card stack">
        <h3>What is known</h3>
        <Bars
          label="What is known"
          unit="Share of people"
          top={100}
          rows={shown.map(([path, name]) => ({
            name,
            value: fillRates[path].percent,
            text: share(fillRates[path].percent),
          }))}
        />
      </div>
    </div>
  )
}
