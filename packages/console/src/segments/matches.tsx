// How many people a rule matches now, and eight of them. It updates shortly after the last change.
import type { RuleAst } from "@footfall/sdk"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useScope } from "../frame/scope.ts"
import { nameOf } from "../people/name.ts"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { plural } from "../ui/time.tsx"
import { useSettled } from "../ui/use-settled.ts"

const shownMax = 8

/** Undefined while the rule is incomplete. */
export const Matches = ({ rule }: { readonly rule: RuleAst | undefined }) => {
  const { pixelId, site } = useScope()
  // Compare as text, because the object is new on every keystroke.
  const settled = useSettled(JSON.stringify(rule))
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["segments", "preview", settled, pixelId],
    queryFn: ({ signal }) =>
      // The text was just made from a rule.
      footfall.segments.preview({ ruleAst: JSON.parse(settled) as RuleAst, pixelId }, { signal }),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <section className="card stack" aria-label="Who that is" aria-busy={isFetching}>
      <p role="status" className="big">
        {data === undefined || error !== null ? "" : plural(data.count, "person", "people")}
        {data === undefined && error === null && settled !== undefined && "Counting…"}
      </p>
      {rule === undefined && <p className="soft small">Finish every condition to count again.</p>}
      <Problem error={error} title="It can't be counted" onRetry={() => void refetch()} />
      {data?.count === 0 && error === null && <p className="soft">No one matches now.</p>}
      <ul className="lines" aria-label="Sample">
        {data?.sample.slice(0, shownMax).map((person) => (
          <li key={person.emailHash}>
            <p className="cut">
              <Link
                to="/people/$visitorId"
                params={{ visitorId: person.emailHash }}
                search={{ window: "all" }}
              >
                {nameOf(person)}
              </Link>
            </p>
            <p className="cut soft small">
              {[person.jobTitle, person.companyName ?? person.companyDomain]
                .filter((text) => text !== null)
                .join(" · ")}
            </p>
          </li>
        ))}
      </ul>
      {rule !== undefined && (
        <p>
          <Link to="/people" search={{ rule, window: rule.window, site }} className="button">
            Show the list
          </Link>
        </p>
      )}
    </section>
  )
}
