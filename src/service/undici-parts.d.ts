// Parts of undici that it lets others import, and describes only as parts of the whole.
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/web/fetch/formdata.js' {
  export { FormData } from 'undici';
}
