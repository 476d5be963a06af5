-- Printing: an exact value to the text of a card, by the rule the catalogue names. NUMERIC round() is half away from
-- zero. The minus is U+2212; what rounds to zero has no sign.
CREATE FUNCTION pg_temp.grouped(magnitude numeric, decimals int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(split_part(round(magnitude, decimals)::text, '.', 1), '(\d)(?=(\d{3})+$)', '\1,', 'g')
      || CASE WHEN decimals > 0 THEN '.' || split_part(round(magnitude, decimals)::text, '.', 2) ELSE '' END
$$;

CREATE FUNCTION pg_temp.signed(value numeric, decimals int, plus boolean, suffix text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE sign(round(value, decimals)) WHEN -1 THEN U&'\2212' WHEN 1 THEN CASE WHEN plus THEN '+' ELSE '' END ELSE '' END
      || pg_temp.grouped(abs(value), decimals) || suffix
$$;

-- 1,234원 / ₩1,234 / 7.18달러 / $7.18
CREATE FUNCTION pg_temp.priced(value numeric, decimals int, locale text, currency text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN round(value, decimals) < 0 THEN U&'\2212' ELSE '' END
      || CASE WHEN locale = 'ko-KR' THEN '' WHEN currency = 'KRW' THEN '₩' ELSE '$' END
      || pg_temp.grouped(abs(value), decimals)
      || CASE WHEN locale <> 'ko-KR' THEN '' WHEN currency = 'KRW' THEN '원' ELSE '달러' END
$$;

-- Korean large money: 조 (10^12) and 억 (10^8), to the nearest 억.
CREATE FUNCTION pg_temp.priced_large(value numeric, currency text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value < 0 THEN U&'\2212' ELSE '' END
      || concat_ws(' ',
           CASE WHEN jo > 0 THEN pg_temp.grouped(jo, 0) || '조' END,
           CASE WHEN eok > 0 OR jo = 0 THEN pg_temp.grouped(eok, 0) || '억' END)
      || CASE WHEN currency = 'KRW' THEN '원' ELSE '달러' END
  FROM (SELECT div(n, 10000) AS jo, mod(n, 10000) AS eok FROM (SELECT round(abs(value) / 100000000) AS n) AS whole) AS parts
$$;

CREATE FUNCTION pg_temp.printed(rule text, value text, locale text, currency text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE rule
    WHEN 'percent' THEN RETURN pg_temp.signed(value::numeric * 100, 2, false, '%');
    WHEN 'percent_signed' THEN RETURN pg_temp.signed(value::numeric * 100, 2, true, '%');
    WHEN 'percent_1' THEN RETURN pg_temp.signed(value::numeric * 100, 1, false, '%');
    WHEN 'percent_stated' THEN RETURN pg_temp.signed(value::numeric * 100, least(4, min_scale(value::numeric * 100)), false, '%');
    WHEN 'points_signed' THEN RETURN pg_temp.signed(value::numeric * 100, 2, true, '%p');
    WHEN 'number_2' THEN RETURN pg_temp.signed(value::numeric, 2, false, '');
    WHEN 'price' THEN RETURN pg_temp.priced(value::numeric, CASE currency WHEN 'KRW' THEN 0 ELSE 2 END, locale, currency);
    WHEN 'money' THEN RETURN pg_temp.priced(value::numeric, 0, locale, currency);
    WHEN 'money_large' THEN
      IF locale = 'ko-KR' AND abs(value::numeric) >= 100000000 THEN RETURN pg_temp.priced_large(value::numeric, currency); END IF;
      RETURN pg_temp.priced(value::numeric, 0, locale, currency);
    WHEN 'count', 'rank' THEN RETURN pg_temp.signed(value::numeric, 0, false, '');
    WHEN 'instant' THEN RETURN to_char(value::timestamptz AT TIME ZONE 'Asia/Seoul', 'YYYY-MM-DD HH24:MI') || ' KST';
    ELSE RETURN value;
  END CASE;
END $$;
