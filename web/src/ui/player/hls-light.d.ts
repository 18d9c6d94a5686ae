// The library ships no types for its light build, which has the same face.
declare module 'hls.js/light' {
  import Hls from 'hls.js'

  export default Hls
}
