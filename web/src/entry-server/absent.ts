// Stands in for what never runs while a page is rendered on the server: the client libraries, and
// the parts that the browser loads later.

function absent(): never {
  throw new Error('not while rendering on the server')
}

export const FunctionsClient = absent
export const FunctionsHttpError = absent
