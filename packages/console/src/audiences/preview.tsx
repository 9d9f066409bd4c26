// How many people a configuration matches now, with a masked sample. It updates shortly after the last change.
import type { AudienceConfigParams } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import type { CSSProperties } from "react"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { count, plural } from "../ui/time.tsx"
import { useSettled } from "../ui/use-settled.ts"
import { filterNames } from "./words.ts"

/** How many people of the sample to show. */
const shownMax = 8

/** The same request for everyone who asks about the configuration. */
export const usePreview = (config: AudienceConfigParams) => {
  // Compare as text, because the object is new on every keystroke.
  const settled = useSettled(JSON.stringify(config))
  return useQuery({
    queryKey: ["audiences", "preview", settled],
    queryFn: ({ signal }) => {
      // The text was just made from such a configuration.
      const asked = JSON.parse(settled) as AudienceConfigParams
      return footfall.audiences.preview({ ...asked, explain: true }, { signal })
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
}

export const Preview = ({ config }: { readonly config: AudienceConfigParams }) => {
  const { data, error, isFetching } = usePreview(config)
  const hasTopics = (config.topicIds ?? []).length > 0
  if (error !== null) return <Problem error={error} title="Can't count this audience" />
  return (
    <section className="audience-count" aria-label="Preview" aria-busy={isFetching}>
      <p role="status" className="big">
        {data === undefined ? "Counting…" : plural(data.totalCount, "person", "people")}
      </p>
      {data !== undefined && (
        <>
          {data.explanation !== null && <Parts parts={data.explanation.parts} />}
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

interface PartsProps {
  readonly parts: ReadonlyArray<{ readonly part: string; readonly count: number }>
}

/** What every part of the configuration costs: who is left after it. */
const Parts = ({ parts }: PartsProps) => {
  const top = Math.max(1, ...parts.map(({ count }) => count))
  return (
    <ul className="audience-parts" aria-label="Who is left after each part">
      {parts.map(({ count: people, part }) => (
        <li key={part}>
          <span className="spread">
            <span>{partText(part)}</span>
            <b>{count(people)}</b>
          </span>
          <i style={{ "--w": people / top } as CSSProperties} />
        </li>
      ))}
    </ul>
  )
}

const partTexts: ReadonlyMap<string, string> = new Map([
  ["topics", "Read about these topics"],
  ["segment", "In the view"],
  ["suppression", "Not suppressed"],
])

const partText = (part: string): string =>
  partTexts.get(part) ?? new Map<string, string>(Object.entries(filterNames)).get(part) ?? part
