package io.orchestra.hadoop.shuffle.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShuffleRequestTest {
  private static final String JOB = "job_1700000000000_0001";
  private static final String MAP = "attempt_1700000000000_0001_m_000003_0";

  private static ShuffleRequest parse(String uri) {
    return ShuffleRequest.parse(new QueryStringDecoder(uri).parameters());
  }

  private static List<String> attempts(int count) {
    return IntStream.range(0, count)
        .mapToObj("attempt_1700000000000_0001_m_%06d_0"::formatted)
        .toList();
  }

  @Test
  void aRequestForSizesIsReadAsItWasWritten() {
    SizesRequest request = new SizesRequest(JOB, 7, attempts(3));

    assertThat(parse(request.pathAndQuery())).isEqualTo(request);
  }

  @Test
  void aRequestForARangeIsReadAsItWasWritten() {
    RangeRequest request = new RangeRequest(JOB, 7, MAP, 1L << 40, 5, (1L << 40) + 5);

    assertThat(parse(request.pathAndQuery())).isEqualTo(request);
  }

  /** In some languages Java writes numbers in other digits. */
  @Test
  void numbersAreWrittenAlikeEverywhere() {
    RangeRequest range = new RangeRequest(JOB, 7, MAP, 10, 5, 15);
    SizesRequest sizes = new SizesRequest(JOB, 7, List.of(MAP));
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(parse(range.pathAndQuery())).isEqualTo(range);
      assertThat(parse(sizes.pathAndQuery())).isEqualTo(sizes);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void sixtyFourOutputsFitIntoARequestLineAndMoreAreRefused() {
    String job = "job_1700000000000_1000000";
    List<String> most =
        IntStream.range(0, SizesRequest.MOST_OUTPUTS)
            .mapToObj(map -> "attempt_1700000000000_1000000_m_%d_10000".formatted(10_000_000 + map))
            .toList();

    assertThat(new SizesRequest(job, 1_000_000, most).pathAndQuery()).hasSizeLessThan(4000);
    assertThatThrownBy(() -> new SizesRequest(JOB, 0, attempts(65)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65 outputs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orchestra=sizes",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0&outputs=",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0&outputs=,",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0&outputs=..",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0&outputs=attempt_1700000000000_0002_m_000003_0",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0&outputs=attempt_1700000000000_1_m_3_0",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0"
            + "&outputs=attempt_1700000000000_0001_m_000003_0,attempt_1700000000000_0001_m_000003_0",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=-1&outputs=attempt_1700000000000_0001_m_000003_0",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=x&outputs=attempt_1700000000000_0001_m_000003_0",
        "orchestra=sizes&job=job_1700000000000_0001&reduce=0&reduce=1&outputs=attempt_1700000000000_0001_m_000003_0",
        "orchestra=other&job=job_1700000000000_0001&reduce=0&outputs=attempt_1700000000000_0001_m_000003_0",
        "orchestra=sizes&orchestra=range&job=job_1700000000000_0001&reduce=0"
            + "&outputs=attempt_1700000000000_0001_m_000003_0"
      })
  void whatIsNoRequestForSizesIsRefused(String query) {
    assertThatIllegalArgumentException().isThrownBy(() -> parse("/mapOutput?" + query));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "offset=0&length=0&part=10",
        "offset=-1&length=5&part=10",
        "offset=6&length=5&part=10",
        "offset=0&length=5&part=0",
        "offset=0&length=5&part=-1",
        "offset=0&length=9223372036854775807&part=10",
        "offset=9223372036854775807&length=9223372036854775807&part=10",
        "offset=0&length=9223372036854775808&part=10",
        "offset=0&length=5",
        "offset=0&length=5&part="
      })
  void whatIsNoRangeOfThePartIsRefused(String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                parse(
                    "/mapOutput?orchestra=range&job=%s&reduce=0&output=%s&%s"
                        .formatted(JOB, MAP, range)));
  }
}
