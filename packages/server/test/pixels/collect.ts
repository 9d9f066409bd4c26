// Sends one batch to a pixel like its script does.

/** A browser's user agent, because requests of programs count as a bot's. */
const browser = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0"

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Returns the status of the response. `send`: fetch by default. */
export const collect = async (
  url: string,
  pixelId: string,
  batch: unknown,
  send: Send = fetch,
): Promise<number> => {
  const response = await send(`${url}/p/${pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": browser },
    body: JSON.stringify(batch),
  })
  return response.status
}
