SELECT d.contract, d.token_id FROM token_search JOIN token_document d ON d.document = token_search.rowid WHERE token_search MATCH ?
