// A `fetch` whose requests have a file as their body. The browser reads the file from disk as it sends it, and says how
// far it is, which it doesn't for its own `fetch`.
export const fileFetch =
  (file: File, onSent: (bytes: number) => void) =>
  ({ headers, method, signal, url }: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest()
      sending.open(method, url)
      for (const [name, value] of headers) sending.setRequestHeader(name, value)
      sending.upload.addEventListener("progress", ({ loaded }) => onSent(loaded))
      sending.addEventListener("load", () =>
        resolve(
          new Response(sending.responseText, {
            status: sending.status,
            headers: headersIn(sending.getAllResponseHeaders()),
          }),
        ),
      )
      sending.addEventListener("error", () => reject(new TypeError("The connection failed")))
      signal.addEventListener("abort", () => {
        sending.abort()
        reject(signal.reason as Error)
      })
      sending.send(file)
    })

/** From lines like `retry-after: 5`. */
const headersIn = (lines: string): Headers =>
  new Headers(
    lines
      .split("\r\n")
      .filter((line) => line.includes(":"))
      .map((line) => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
  )
