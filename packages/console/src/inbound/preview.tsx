// What a sample would become by a mapping, as one writes it.
import type { InboundMappingCreateParams, InboundPreset, InboundTest } from "@footfall/sdk"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { plural } from "../ui/time.tsx"
import { useSettled } from "../ui/use-settled.ts"
import { fieldWords } from "./mapping.ts"

/** Records and reasons that are shown. */
const shownMax = 5

interface PreviewProps {
  readonly preset: InboundPreset
  readonly mapping: InboundMappingCreateParams
  readonly sample: unknown
}

export const Preview = (asked: PreviewProps) => {
  const question = useSettled(JSON.stringify(asked))
  const query = useQuery({
    queryKey: ["inbound-test", question],
    queryFn: ({ signal }) => {
      const { mapping, preset, sample } = JSON.parse(question) as PreviewProps // what was asked, above
      return footfall.inbound.test({ preset, mapping, sample }, { signal })
    },
    placeholderData: keepPreviousData,
    // The sample may name people.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section className="stack preview" aria-label="What would arrive">
      <h3>What would arrive</h3>
      <Problem error={query.error} title="The sample can't be read by this mapping" />
      {query.isPending && <Waiting />}
      {query.data !== undefined && <Found found={query.data} />}
    </section>
  )
}

const Found = ({ found: { records, rejected } }: { readonly found: InboundTest }) => {
  const more = Math.max(0, records.length - shownMax) + Math.max(0, rejected.length - shownMax)
  return (
    <div className="stack" role="status">
      {records.slice(0, shownMax).map(({ fields, kind }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the records of one answer have no ids
        <div key={at} className="card stack">
          <p>
            <strong>{kind === "person" ? "A person" : "A visit of a company"}</strong>
          </p>
          <dl className="facts">
            {Object.entries(fields).map(([field, value]) => (
              <div key={field} className="contents">
                <dt>{fieldWords(field)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {rejected.slice(0, shownMax).map(({ index, message }) => (
        <p key={index} className="wrong break">
          Record {index + 1} would be rejected. {message}
        </p>
      ))}
      {more > 0 && <p className="soft">And {plural(more, "record")} more.</p>}
    </div>
  )
}
