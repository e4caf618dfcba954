SELECT t.contract, t.token_id FROM token t WHERE array_to_tsvector(string_to_array(t.words, ' ')) @@ CAST(? AS tsquery)
