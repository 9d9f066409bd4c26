// The type of `operations.json`, so that the compiler needs neither the file, which the build writes, nor all it says.
import type { Operations } from "./operation.ts"

export declare const operations: Operations["operations"]
export declare const schemas: Operations["schemas"]
