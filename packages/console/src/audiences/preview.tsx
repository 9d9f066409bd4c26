// How many people a configuration matches now, with a masked sample. It updates shortly after the last change.
import type { AudienceConfigParams } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { plural } from "../ui/time.tsx"
import { useSettled } from "../ui/use-settled.ts"

/** How many people of the sample to show. */
const shownMax = 8

export const Preview = ({ config }: { readonly config: AudienceConfigParams }) => {
  // Compare as text, because the object is new on every keystroke.
  const settled = useSettled(JSON.stringify(config))
  const { data, error, isFetching } = useQuery({
    queryKey: ["audiences", "preview", settled],
    queryFn: ({ signal }) => {
      // The text was just made from such a configuration.
      return footfall.audiences.preview(JSON.parse(settled) as AudienceConfigParams, { signal })
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  const hasTopics = (config.topicIds ?? []).length > 0
  if (error !== null) return <Problem error={error} title="Can't count this audience" />
  return (
    <section className="card stack" aria-label="Preview" aria-busy={isFetching}>
      <p role="status" className="big">
        {data === undefined ? "Counting…" : plural(data.totalCount, "person", "people")}
      </p>
      {data !== undefined && (
        <>
          <p className="soft small">
            {hasTopics
              ? `Intent data of ${data.dataDate}. Addresses are masked. The number is the score.`
              : "Addresses are masked."}
          </p>
          <ul className="lines" aria-label="Sample">
            {data.sample
              .slice(0, shownMax)
              .map(({ company, email, hem, intentScore, jobTitle }) => (
                <li key={hem} className="spread">
                  <span className="cut">
                    {email}
                    <span className="soft small">
                      <br />
                      {[jobTitle, company].filter((text) => text !== "").join(" · ")}
                    </span>
                  </span>
                  {intentScore !== null && (
                    <span className="number" title="Score">
                      {intentScore}
                    </span>
                  )}
                </li>
              ))}
          </ul>
        </>
      )}
    </section>
  )
}
