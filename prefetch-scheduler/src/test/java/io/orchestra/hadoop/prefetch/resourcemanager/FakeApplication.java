package io.orchestra.hadoop.prefetch.resourcemanager;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.util.Records;

/** As much of an application as a scheduler asks the ResourceManager for. */
final class FakeApplication {
  private FakeApplication() {}

  static RMApp of(ApplicationAttemptId attempt, RMContext context) {
    ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
    RMAppAttemptMetrics metrics = new RMAppAttemptMetrics(attempt, context);
    Container master = Records.newRecord(Container.class);
    RMAppAttempt current =
        answering(
            RMAppAttempt.class,
            Map.of(
                "getRMAppAttemptMetrics", () -> metrics,
                "getMasterContainer", () -> master,
                "getSubmissionContext", () -> submission));
    return answering(
        RMApp.class,
        Map.of(
            "getCurrentAppAttempt", () -> current,
            "getApplicationSubmissionContext", () -> submission,
            "getApplicationSchedulingEnvs", Map::of));
  }

  private static <T> T answering(Class<T> type, Map<String, Supplier<Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                answers.getOrDefault(method.getName(), () -> nothing(method)).get()));
  }

  private static Object nothing(Method method) {
    if (method.getReturnType() == boolean.class) {
      return false;
    }
    return method.getReturnType().isPrimitive() && method.getReturnType() != void.class ? 0 : null;
  }
}
