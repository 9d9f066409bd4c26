// From a question to a file: searches topics, previews who reads about them, saves the audience,
// runs it and writes its people to a CSV file. The first argument is the search text, the second
// one the file.
import { type AudienceConfigParams, ConflictError, Footfall } from "@footfall/sdk"

const [, , question = "crm software", file = "audience.csv"] = process.argv
const footfall = new Footfall() // FOOTFALL_API_KEY, FOOTFALL_BASE_URL

const topics = await footfall.topics.search({ q: question, limit: 3 })
const config: AudienceConfigParams = {
  topicIds: topics.map(({ topicId }) => topicId),
  filters: { seniority: ["vp", "c_suite"], hasBusinessEmail: true },
}
console.log(`Topics: ${topics.map(({ topicName }) => topicName).join(", ")}`)

const { totalCount } = await footfall.audiences.preview(config)
console.log(`${totalCount} people`)

const audience = await footfall.audiences.create({ name: question, status: "active", config })
try {
  const run = await footfall.runs.start(audience.id).wait()
  if (run.status !== "completed") throw new Error(`${run.status}: ${run.errorMessage}`)
  const { stats } = await footfall.runs.stats(audience.id, run.id)
  console.log(
    `${run.resultCount} of ${run.candidateCount}, score ${stats.averages?.score ?? "unknown"}`,
  )
  const csv = await footfall.runs.exportCsv(audience.id, run.id)
  console.log(`${await csv.toFile(file)} bytes in ${file}`)
} catch (error) {
  // Someone else started a run in the meantime.
  if (!(error instanceof ConflictError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
