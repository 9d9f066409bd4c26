// Compares up to ten topics: the newest day on one scale, and the month of each on the same scale.
import type { TopicComparison } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Bars } from "../plots/bars.tsx"
import { Plot } from "../plots/plot.tsx"
import { footfall } from "../session/session.ts"
import { Empty } from "../ui/empty.tsx"
import { Read } from "../ui/read.tsx"
import { TopicChoice, type ChosenTopic } from "./topic-choice.tsx"
import "./topics.css"

/** spec 5.7 */
const topicsMax = 10

export const Compare = () => {
  const { topics = "" } = useSearch({ from: "/signed/topics" })
  const navigate = useNavigate({ from: "/topics" })
  const ids = topics === "" ? [] : topics.split(",").map(Number).slice(0, topicsMax)
  const query = useQuery({
    queryKey: ["topics", "compare", ids],
    queryFn: ({ signal }) => footfall.topics.compare(ids, { signal }),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  })
  const chosen: ReadonlyArray<ChosenTopic> = ids.map((topicId) => ({
    topicId,
    topicName:
      query.data?.find((compared) => compared.topicId === topicId)?.topicName ?? `Topic ${topicId}`,
  }))
  return (
    <div className="topics-page">
      <TopicChoice
        topics={chosen}
        onTopics={(next) =>
          void navigate({
            search: (old) => ({
              ...old,
              topics: next.length === 0 ? undefined : next.map(({ topicId }) => topicId).join(","),
            }),
          })
        }
        max={topicsMax}
        hint={`Choose up to ${topicsMax} topics to compare.`}
      />
      {ids.length === 0 ? (
        <Empty title="Nothing to compare yet">
          Choose two topics or more. You'll see how many people read about each, day by day.
        </Empty>
      ) : (
        <Read query={query}>{(compared) => <Plots compared={compared} />}</Read>
      )}
    </div>
  )
}

const Plots = ({ compared }: { readonly compared: ReadonlyArray<TopicComparison> }) => {
  const top = Math.max(
    1,
    ...compared.flatMap(({ data }) => data.map(({ uniqueAudience }) => uniqueAudience)),
  )
  return (
    <>
      <section className="card stack" aria-label="Newest day">
        <h2>People on the newest day</h2>
        <Bars
          label="People on the newest day"
          unit="People"
          rows={compared.map(({ data, topicId, topicName }) => ({
            name: String(topicId),
            title: topicName,
            value: data.at(-1)?.uniqueAudience ?? 0,
          }))}
        />
      </section>
      <div className="plots">
        {compared.map(({ data, topicId, topicName }) => (
          <section key={topicId} className="card stack" aria-label={topicName}>
            <h3 className="break">{topicName}</h3>
            {data.length === 0 ? (
              <p className="soft">No one read about it in these 30 days.</p>
            ) : (
              <Plot
                label={`${topicName}: people a day`}
                isSmall
                top={top}
                points={data.map(({ date, uniqueAudience }) => ({
                  name: date,
                  value: uniqueAudience,
                }))}
              />
            )}
          </section>
        ))}
      </div>
    </>
  )
}
