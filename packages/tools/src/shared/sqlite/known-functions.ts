/**
 * The functions and virtual tables of SQLite, and of what libsql compiles in, that look at nothing but their arguments and
 * the database. Everything else that the library has is refused by name: it reads and writes files (`readfile`,
 * `writefile`, `fsdir`), runs SQL given as text (`sha3_query`), loads code, or reaches below SQL.
 */
export const knownFunctions: readonly string[] = [
  "-> ->> abs acos acosh asin asinh atan atan2 atanh atn2 avg bm25 ceil ceiling changes char charindex coalesce concat",
  "concat_ws cos cosh cot coth count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank",
  "difference exp first_value floor format fts5_source_id glob group_concat hex highlight ifnull iif instr json json_array",
  "json_array_length json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch",
  "json_quote json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_extract jsonb_group_array",
  "jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set julianday lag",
  "last_insert_rowid last_value lead leftstr length like likelihood likely ln log log10 log2 lower lower_quartile ltrim match",
  "matchinfo max median min mod mode nth_value ntile nullif octet_length offsets optimize padc padl padr percent_rank pi pow",
  "power printf proper quote radians random randomblob rank regexp regexpi replace replicate reverse rightstr round row_number",
  "rtrim sha3 sign sin sinh snippet soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id",
  "sqlite_version sqrt square stdev strfilter strftime string_agg substr substring subtype sum tan tanh time timediff total",
  "total_changes trim trunc typeof unhex unicode unixepoch unlikely upper upper_quartile uuid uuid_blob uuid_str variance",
  "vector vector16 vector1bit vector32 vector64 vector8 vector_distance_cos vector_distance_l2 vector_extract vectorb16",
  "zeroblob libsql_vector_idx vector_top_k dbstat fts3 fts4 fts4aux fts5 fts5vocab generate_series geopoly geopoly_area",
  "geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_group_bbox geopoly_json geopoly_overlap",
  "geopoly_regular geopoly_svg geopoly_within geopoly_xform json_each json_tree pragma_application_id pragma_collation_list",
  "pragma_compile_options pragma_data_version pragma_encoding pragma_foreign_key_check pragma_foreign_key_list",
  "pragma_foreign_keys pragma_freelist_count pragma_function_list pragma_index_info pragma_index_list pragma_index_xinfo",
  "pragma_integrity_check pragma_module_list pragma_page_count pragma_page_size pragma_pragma_list pragma_quick_check",
  "pragma_schema_version pragma_table_info pragma_table_list pragma_table_xinfo pragma_user_version rtree",
  "rtree_i32 rtreecheck rtreedepth rtreenode",
].flatMap((line) => line.split(" "));
