// A part of exceljs that it lets others import, and describes only as a part of the whole.
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs';
}
