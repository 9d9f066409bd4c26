// Segments as views of the people list, and a link to create one.
import { useQuery } from "@tanstack/react-query"
import { Link, useSearch } from "@tanstack/react-router"
import { segmentsQuery } from "../queries.ts"
import { isAddress, type PeopleSearch } from "./search.ts"

/** An email address searches everyone, so selecting a segment clears it. */
const withoutAddress = <Search extends PeopleSearch>(search: Search): Search =>
  search.q !== undefined && isAddress(search.q) ? { ...search, q: undefined } : search

export const Views = () => {
  const { rule, segment } = useSearch({ from: "/signed/people" })
  const { data: segments = [] } = useQuery(segmentsQuery)
  const rulePath: string = segment === undefined ? "/segments/new" : `/segments/${segment}`
  const isAll = segment === undefined && rule === undefined
  return (
    <nav className="chips" aria-label="Segments">
      <Link
        className="chip"
        to="/people"
        search={(old) => ({ ...old, segment: undefined, rule: undefined })}
        // Otherwise it also counts as active while a segment is selected.
        activeOptions={{ exact: true }}
        aria-current={isAll}
      >
        All
      </Link>
      {rule !== undefined && (
        <Link className="chip" to="/people" search={true} aria-current>
          By a rule
        </Link>
      )}
      {segments.map(({ id, name, description }) => (
        <Link
          key={id}
          className="chip cut"
          to="/people"
          search={(old) => ({ ...withoutAddress(old), segment: id, rule: undefined })}
          activeOptions={{ exact: true }}
          aria-current={segment === id}
          title={description ?? name}
        >
          {name}
        </Link>
      ))}
      {isAll ? (
        <Link className="chip new" to="/segments/new">
          + Segment
        </Link>
      ) : (
        <Link className="chip new" to={rulePath} search={{ rule }}>
          Open the rule
        </Link>
      )}
    </nav>
  )
}
